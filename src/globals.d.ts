/** Put in by the build; in tests by vitest.config.ts. */
declare const __VERSION__: string;
