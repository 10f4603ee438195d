/** The one part of cosmiconfig that is used. It is internal there, so it comes without types. */
declare module 'cosmiconfig/dist/ExplorerSync.js' {
  export class ExplorerSync {
    constructor(options: {
      readonly moduleName: string;
      readonly searchPlaces: readonly string[];
      readonly searchStrategy: 'none';
      readonly ignoreEmptySearchPlaces: boolean;
      readonly loaders: Readonly<Record<string, (path: string, text: string) => unknown>>;
      readonly transform: (result: unknown) => unknown;
      readonly cache: boolean;
      readonly metaConfigFilePath: null;
      readonly mergeImportArrays: boolean;
      readonly mergeSearchPlaces: boolean;
      readonly applyPackagePropertyPathToConfiguration: boolean;
    });
    search(from: string): { readonly filepath: string; readonly config: unknown } | null;
  }
}
