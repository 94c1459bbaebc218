import { escapedBackslash, showsCharacter } from '../../src/core/text/approver-text.js';
import { escapedCharacter, escapeHidden } from '../../src/core/text/escape.js';
import { memo } from './memo.js';

const escapes = new RegExp(`(${escapedCharacter.source})`);

/** Text as text, with the escapes of hidden characters marked. The server escapes them; what it misses is escaped here. */
export const VisibleText = memo(function VisibleText({ text }: { readonly text: string }) {
  const parts = escapeHidden(text).split(escapes);
  if (parts.length === 1) return <>{parts[0]}</>;
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 && showsCharacter(part) ? (
          <mark class="hidden-char" title={part === escapedBackslash ? 'A backslash' : 'A hidden character'}>
            {part}
          </mark>
        ) : (
          part
        ),
      )}
    </>
  );
});
