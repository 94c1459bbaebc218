import { Component, createElement, type FunctionComponent } from 'preact';

/** Skips rendering while all props are the same objects. `preact/compat` has this too, but is large. */
export function memo<Props extends object>(inner: FunctionComponent<Props>): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const before = this.props as Readonly<Record<string, unknown>>;
      const after = next as Readonly<Record<string, unknown>>;
      const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
      return [...keys].some((key) => before[key] !== after[key]);
    }

    override render() {
      return createElement(inner, this.props as Props);
    }
  }
  return Memo as unknown as FunctionComponent<Props>;
}
