/** Put in by the build; in tests by vitest.config.ts. */
declare const __VERSION__: string;
/** Which build this is: `npm` or `standalone`. */
declare const __BUILD__: string;

declare module '*.wasm' {
  const path: string;
  export default path;
}
