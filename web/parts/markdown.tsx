import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { memo } from './memo.js';
import { VisibleText } from './visible-text.js';

/** Longer text is shown as it is, because the lexer would block the page. */
const maxChars = 200_000;
const maxDepth = 24;

/** Markdown as elements. HTML stays text, images become links, and links show where they lead. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const tokens = lex(text);
  if (tokens === undefined) {
    return (
      <pre class="markdown plain">
        <VisibleText text={text} />
      </pre>
    );
  }
  return <div class="markdown">{renderAll(tokens, 0)}</div>;
});

function lex(text: string): readonly Token[] | undefined {
  if (text.length > maxChars) return undefined;
  try {
    return Lexer.lex(text);
  } catch {
    // Deep nesting exhausts the stack.
    return undefined;
  }
}

function renderAll(tokens: readonly Token[] | undefined, depth: number): ComponentChildren {
  return tokens?.map((token, index) => <TokenView key={index} token={token} depth={depth + 1} />);
}

function TokenView({ token, depth }: { readonly token: Token; readonly depth: number }): VNode | null {
  if (depth > maxDepth) return <VisibleText text={token.raw} />;
  return renderBlock(token as MarkedToken, depth) ?? renderInline(token as MarkedToken, depth);
}

function renderBlock(token: MarkedToken, depth: number): VNode | undefined {
  switch (token.type) {
    case 'space':
    case 'def':
      return <></>;
    case 'heading':
      return <Heading level={token.depth}>{renderAll(token.tokens, depth)}</Heading>;
    case 'paragraph':
      return <p>{renderAll(token.tokens, depth)}</p>;
    case 'blockquote':
      return <blockquote>{renderAll(token.tokens, depth)}</blockquote>;
    case 'code':
      return (
        <pre>
          <code>
            <VisibleText text={token.text} />
          </code>
        </pre>
      );
    case 'hr':
      return <hr />;
    case 'list':
      return renderList(token, depth);
    case 'table':
      return renderTable(token, depth);
    default:
      return undefined;
  }
}

function renderInline(token: MarkedToken, depth: number): VNode {
  switch (token.type) {
    case 'strong':
      return <strong>{renderAll(token.tokens, depth)}</strong>;
    case 'em':
      return <em>{renderAll(token.tokens, depth)}</em>;
    case 'del':
      return <del>{renderAll(token.tokens, depth)}</del>;
    case 'codespan':
      return (
        <code>
          <VisibleText text={token.text} />
        </code>
      );
    case 'br':
      return <br />;
    case 'link':
      return <Link href={token.href}>{renderAll(token.tokens, depth)}</Link>;
    case 'image':
      return <Link href={token.href}>{`Image: ${token.text || 'without a description'}`}</Link>;
    case 'escape':
      return <VisibleText text={token.text} />;
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? (
        <>{renderAll(token.tokens, depth)}</>
      ) : (
        <VisibleText text={token.text} />
      );
    default:
      return <VisibleText text={token.raw} />;
  }
}

/** Two levels down: the page and the card have headings of their own. */
function Heading({ level, children }: { readonly level: number; readonly children: ComponentChildren }) {
  if (level === 1) return <h3>{children}</h3>;
  if (level === 2) return <h4>{children}</h4>;
  return <h5>{children}</h5>;
}

function renderList(list: Tokens.List, depth: number): VNode {
  const items = list.items.map((item, index) => (
    <li key={index} class={item.task ? 'task' : undefined}>
      {item.task && (
        <span class="box" role="img" aria-label={item.checked === true ? 'Done' : 'Open'}>
          {item.checked === true ? '☑' : '☐'}
        </span>
      )}
      {renderAll(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        depth,
      )}
    </li>
  ));
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function renderTable(table: Tokens.Table, depth: number): VNode {
  return (
    <div class="table-scroll" role="group" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index}>{renderAll(cell.tokens, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{renderAll(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The host is written out, because the words of a link can claim another one. */
function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return (
      <>
        {children}{' '}
        <span class="muted">
          (<VisibleText text={href} />)
        </span>
      </>
    );
  }
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>{' '}
      <span class="muted host">({url.host})</span>
    </>
  );
}
