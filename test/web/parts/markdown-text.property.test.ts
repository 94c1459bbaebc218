import * as fc from 'fast-check';
import { expect, it } from 'vitest';

/** An element of preact, whose own types would bring those of a browser to all tests. */
interface Element {
  readonly type: string | Component;
  readonly props: Readonly<Record<string, unknown>> & { readonly children?: Rendered };
}
type Rendered = Element | readonly Rendered[] | string | number | boolean | null | undefined;
type Component = ((props: object) => Rendered) & (new (props: object) => { render(): Rendered });

// The path is computed, because the tests are compiled without JSX.
const path = new URL('../../../web/texts/markdown.tsx', import.meta.url).pathname;
const { Markdown } = (await import(path)) as { readonly Markdown: Component };

/** The text that a browser displays for an element, including the numbers of lists. */
function textOf(node: Rendered): string {
  if (node === null || node === undefined || typeof node === 'boolean') return '';
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (isList(node)) return node.map(textOf).join('');
  const { type, props } = node;
  const number = typeof props['value'] === 'number' ? `${props['value']} ` : '';
  if (typeof type === 'string') return number + textOf(props.children);
  const isClass = 'render' in ((type.prototype as object | undefined) ?? {});
  return textOf(isClass ? new type(props).render() : type(props));
}

function isList(node: Element | readonly Rendered[]): node is readonly Rendered[] {
  return Array.isArray(node);
}

/** Without x, which a box of a list shows as a tick. */
const wordsIn = /[a-wyz1-9]+/g;

const word = fc.stringMatching(/^[a-j1-9]{2,6}$/);
const signs = [
  String.raw`[¦]¦(¦)¦<¦>¦!¦*¦**¦_¦~~~¦~~¦|¦ ¦:¦"¦'¦# ¦- ¦1. ¦> ¦- [x] ¦]: ¦](¦][¦\¦<!--¦-->¦&¦;¦https://¦    ¦[^¦//¦#`,
  '<a href="¦">¦</a>¦{¦}¦$¦=¦+ ¦2) ¦`¦```¦\t¦\n¦\n\n¦\n---\n¦\n===\n¦\n| - | - |\n',
].flatMap((some) => some.split('¦'));

/** Where Markdown hides words: `w` stands for a word. */
const hiding = [
  '[w](https://w/w?w "w w")¦![w](w "w")¦[w][w w]¦[w]: https://w "w"¦[//]: # (w w)¦[w]: <w w> (w)¦[^w]: w w¦&w;',
  '\n```w w\nw\n```\n¦\n~~~ w w\n¦| w | w |\n| - | - |\n| w | w | w |\n¦w | w\n-|-\nw|w|w\n¦\n12. w\n34. w\n',
  '<!-- w w -->¦<w w="w">¦<https://w/w>¦- [ ] w¦`` w ` w ``¦<?w?>¦<![CDATA[w]]>',
].flatMap((some) => some.split('¦'));
const fragment = fc
  .tuple(fc.constantFrom(...hiding), fc.infiniteStream(word))
  .map(([form, words]) => form.replaceAll('w', () => words.next().value));

const markdown = fc
  .array(fc.oneof(word, fragment, fc.constantFrom(...signs)), { maxLength: 40 })
  .map((parts) => parts.join(''));

it('shows every word of a text, wherever Markdown puts it', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const shown = textOf({ type: Markdown, props: { text } });

      expect((text.match(wordsIn) ?? []).filter((each) => !shown.includes(each))).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});
