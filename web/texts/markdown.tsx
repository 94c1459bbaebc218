import type { MarkedToken, Token, Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { hasAllCells, markdownTokens } from './markdown-tokens.js';
import { memo } from './memo.js';
import { VisibleText } from './visible-text.js';

const maxDepth = 24;

/**
 * Markdown as elements. HTML stays text, images become links, and links show where they lead. What Markdown itself does
 * not display, such as titles of links, is shown too: people approve plans that they read here.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const tokens = markdownTokens(text);
  if (tokens === undefined) {
    return (
      <pre class="markdown plain">
        <VisibleText text={text} />
      </pre>
    );
  }
  return <div class="markdown">{renderAll(tokens, 0)}</div>;
});

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
      return <></>;
    case 'def':
      return (
        <p class="muted">
          <VisibleText text={token.raw} />
        </p>
      );
    case 'heading':
      return <Heading level={token.depth}>{renderAll(token.tokens, depth)}</Heading>;
    case 'paragraph':
      return <p>{renderAll(token.tokens, depth)}</p>;
    case 'blockquote':
      return <blockquote>{renderAll(token.tokens, depth)}</blockquote>;
    case 'code':
      return (
        <pre>
          {token.lang !== undefined && token.lang !== '' && (
            <span class="lang">
              <VisibleText text={token.lang} />
            </span>
          )}
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
      return <Link link={token}>{renderAll(token.tokens, depth)}</Link>;
    case 'image':
      return <Link link={token}>{`Image: ${token.text || 'without a description'}`}</Link>;
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
    <li key={index} class={item.task ? 'task' : undefined} value={numberOf(item)}>
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
  return list.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

/** The number in the text, which need not follow that of the item before. */
function numberOf({ raw }: Tokens.ListItem): number | undefined {
  const number = /^\s*(\d+)/.exec(raw)?.[1];
  return number === undefined ? undefined : Number(number);
}

function renderTable(table: Tokens.Table, depth: number): VNode {
  if (!hasAllCells(table)) {
    return (
      <pre>
        <VisibleText text={table.raw} />
      </pre>
    );
  }
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

interface LinkProps {
  readonly link: Pick<Tokens.Link, 'href' | 'text' | 'title'>;
  readonly children: ComponentChildren;
}

/** The address is written out, because the words of a link can claim another one. */
function Link({ link: { href, text, title }, children }: LinkProps) {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  const isOpenable = url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:');
  const address = isOpenable && text === href ? url.host : href;
  return (
    <>
      {isOpenable ? (
        <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
      ) : (
        children
      )}{' '}
      <span class="muted address">
        (<VisibleText text={title ? `${address} “${title}”` : address} />)
      </span>
    </>
  );
}
