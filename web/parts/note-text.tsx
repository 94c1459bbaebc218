import { VisibleText } from '../texts/visible-text.js';

/** A note of the server, in which names and commands stand between backticks. */
export function NoteText({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('`').map((part, index) =>
        index % 2 === 0 ? (
          <VisibleText key={index} text={part} />
        ) : (
          <code key={index}>
            <VisibleText text={part} />
          </code>
        ),
      )}
    </>
  );
}
