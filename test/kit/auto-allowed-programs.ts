/** Programs that Claude Code may run without asking, as the tables in its binary name them. */
import { createReadStream } from 'node:fs';

/** A row of a table: `sort:{safeFlags:{…`, `"git diff":{safeFlags:…`, `ps:{respectsDoubleDash:!1,safeFlags:…`. */
const row =
  /[{,](?:"([a-z][\w .-]*)"|([a-z]\w*)):\{(?:respectsDoubleDash:!\d,)?(?:safeFlags|allowAllFlags|additionalCommandIsDangerousCallback):(.)/g;
/** Programs with any options: `["cal","uptime","cat",…]`. */
const list = /"cal","uptime","cat"(?:,"[\w ]+")+/g;
/** Programs with certain words: `/^uniq(?:\s+…`. They stand together. */
const shapes = /\/\^echo\(\?:.{0,4000}?\/\^find\(\?:/gs;
/** Commands that run where edits are accepted. */
const edits = /\["mkdir","touch"(?:,"\w+")*,"sed"\]/g;

export interface AutoAllowedPrograms {
  readonly bash: readonly string[];
  readonly powershell: readonly string[];
  readonly edits: readonly string[];
}

/** The longest match that may lie across two chunks. */
const overlap = 8_192;

export async function autoAllowedProgramsIn(binary: string): Promise<AutoAllowedPrograms> {
  const found = { bash: new Set<string>(), powershell: new Set<string>(), edits: new Set<string>() };
  let tail = '';
  // In latin1 each byte is a character, so that the machine code around the sources does no harm.
  const chunks = createReadStream(binary, { encoding: 'latin1', highWaterMark: 4 * 1024 * 1024 });
  for await (const chunk of chunks as AsyncIterable<string>) {
    const text = tail + chunk;
    for (const [, quoted = '', bare = '', value = ''] of text.matchAll(row)) {
      const isPowershell = /[[!]/.test(value) || /^[a-z]+-[a-z]+$/.test(quoted);
      found[isPowershell ? 'powershell' : 'bash'].add(quoted || bare);
    }
    for (const name of [...namesIn(text, list), ...namesIn(text, shapes)]) found.bash.add(name);
    // Another list that begins with the same words only counts uses.
    for (const name of namesIn(text, edits)) found.edits.add(name);
    tail = text.slice(-overlap);
  }
  return {
    bash: [...found.bash].toSorted(),
    powershell: [...found.powershell].toSorted(),
    edits: [...found.edits].toSorted(),
  };
}

function namesIn(text: string, parts: RegExp): string[] {
  return [...text.matchAll(parts)].flatMap(([part]) =>
    [...part.matchAll(/"([\w ]+)"|\/\^(\w+)/g)].map(([, quoted, shaped]) => quoted ?? shaped ?? ''),
  );
}
