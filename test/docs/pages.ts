/** The pages of the documentation, and the commands in them. */
import { readFileSync, readdirSync } from 'node:fs';
import { commandsOfScript } from './shell-words.js';

interface Page {
  readonly path: string;
  readonly text: string;
}

export const pages: readonly Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'SECURITY.md',
  ...['docs', 'examples', 'packaging'].flatMap(markdownIn),
].map((path) => ({ path, text: readFileSync(path, 'utf8') }));

function markdownIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

const fence = /^( *)```(\w*)[^\n]*\n([\s\S]*?)^\1```$/gm;

export function withoutBlocks(text: string): string {
  return text.replaceAll(fence, '');
}

interface DocumentedCommand {
  readonly page: string;
  readonly words: readonly string[];
}

/** Programs whose mention in a sentence is a command, not only a name. */
const programs = /^(claude-code-mcp|mcp-server-claude-code|npx|npm|node|docker|claude) \S/;

/** Decisions quote commands that are not for readers, so only their blocks count. */
export function commandsIn({ path, text }: Page): readonly DocumentedCommand[] {
  const blocks = [...text.matchAll(fence)]
    .filter(([, , language = '']) => ['sh', 'bash', 'shell', 'console'].includes(language))
    .flatMap(([, , , script = '']) => commandsOfScript(script));
  const spans = path.startsWith('docs/adr/')
    ? []
    : [...withoutBlocks(text).matchAll(/`([^`]+)`/g)]
        .map(([, span = '']) => span.replaceAll(/\s+/g, ' '))
        .filter((span) => programs.test(span))
        // A usage such as `config [--json]`: every part of it must be right.
        .flatMap((span) => commandsOfScript(span.replaceAll(/[[\]]/g, '').replaceAll('\\|', '|')));
  return [...blocks, ...spans].map((words) => ({ page: path, words }));
}
