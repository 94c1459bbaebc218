/** The package has no types of its own. */
declare module 'parse-prometheus-text-format' {
  export interface ParsedSample {
    readonly value?: string;
    readonly labels?: Readonly<Record<string, string>>;
  }

  export interface Family {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly ParsedSample[];
  }

  export default function parse(text: string): readonly Family[];
}
