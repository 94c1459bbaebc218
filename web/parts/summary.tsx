import { VisibleText } from '../texts/visible-text.js';

/** A line of the server's own words. What it quotes between backticks is shown as code. */
export function Summary({ text }: { readonly text: string }) {
  const [, before = text, quoted, after = ''] = /^([^`]*)`([\s\S]*)`([^`]*)$/.exec(text) ?? [];
  return (
    <>
      <VisibleText text={before} />
      {quoted !== undefined && (
        <code>
          <VisibleText text={quoted} />
        </code>
      )}
      <VisibleText text={after} />
    </>
  );
}
