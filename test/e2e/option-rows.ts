import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { valueOf } from '../kit/argv-log.js';
import type { ModelRequest } from '../kit/model-request.js';
import type { Sandbox } from '../kit/sandbox.js';

/** What a session that was started with options has left to look at. */
export interface Evidence {
  readonly argv: readonly string[];
  readonly request: ModelRequest;
  readonly transcript: string;
  readonly mcpServers: Readonly<Record<string, unknown>>;
  readonly sandbox: Sandbox;
}

/** An option that can be given together with all others, and where Claude Code shows that it has it. */
export interface Row {
  readonly value: unknown;
  readonly seen: (evidence: Evidence) => unknown;
  readonly expected: unknown;
}

const birder = { description: 'WATCHES BIRDS', prompt: 'You are a birder.' };

/** Each of them reaches Claude Code from a caller that is not trusted. */
export function rowsFor(sandbox: Sandbox) {
  const nest = join(sandbox.root, 'nest');
  return {
    cwd: {
      value: nest,
      seen: ({ request }) => /Primary working directory: (.*?)\\n/.exec(JSON.stringify(request.body))?.[1],
      expected: nest,
    },
    additionalDirectories: { value: [sandbox.project], ...flag('add-dir', sandbox.project) },
    settingSources: { value: ['user'], ...flag('setting-sources', 'user') },
    model: {
      value: 'claude-opus-4-5',
      seen: ({ request }) => request.body.model,
      expected: 'claude-opus-4-5',
    },
    systemPrompt: {
      value: { type: 'preset', preset: 'claude_code', append: 'ANSWER IN FRENCH' },
      ...says('system', 'ANSWER IN FRENCH'),
    },
    title: {
      value: 'Birds of the marsh',
      seen: ({ transcript }) => transcript.includes('"customTitle":"Birds of the marsh"'),
      expected: true,
    },
    effort: {
      value: 'low',
      seen: ({ request }) => request.body['output_config'],
      expected: { effort: 'low' },
    },
    thinking: {
      value: { type: 'enabled', budgetTokens: 2_048 },
      seen: ({ request }) => (request.body['thinking'] as { budget_tokens?: number }).budget_tokens,
      expected: 2_048,
    },
    fallbackModel: { value: 'claude-haiku-4-5', ...flag('fallback-model', 'claude-haiku-4-5') },
    betas: {
      value: ['context-1m-2025-08-07'],
      seen: ({ request }) => String(request.headers['anthropic-beta']).includes('context-1m-2025-08-07'),
      expected: true,
    },
    permissionMode: { value: 'plan', ...flag('permission-mode', 'plan') },
    planModeInstructions: { value: 'LOOK BEFORE YOU PLAN', ...says('messages', 'LOOK BEFORE YOU PLAN') },
    allowedTools: {
      value: ['Bash(npm test)'],
      seen: ({ argv }) => valueOf(argv, 'allowedTools')?.split(',').includes('Bash(npm test)'),
      expected: true,
    },
    disallowedTools: { value: ['Edit'], ...flag('disallowedTools', 'Edit') },
    tools: {
      value: ['Read', 'Edit', 'Agent', 'Skill'],
      seen: ({ request }) => request.body.tools?.map(({ name }) => name).toSorted(),
      expected: ['Agent', 'Read', 'Skill'],
    },
    skills: {
      value: ['heron'],
      seen: ({ request }) => skillsIn(JSON.stringify(request.body)),
      expected: ['SKILL OF THE HERON'],
    },
    maxTurns: { value: 7, ...flag('max-turns', '7') },
    maxBudgetUsd: { value: 3, ...flag('max-budget-usd', '3') },
    agents: {
      value: { birder },
      seen: ({ request }) => JSON.stringify(request.body).includes('WATCHES BIRDS'),
      expected: true,
    },
    agent: { value: 'birder', ...says('system', 'You are a birder.') },
    mcpServers: {
      value: { far: { type: 'http', url: 'https://mcp.example.com/x', headers: { 'X-Bird': 'heron' } } },
      seen: ({ mcpServers }) => mcpServers['far'],
      expected: { type: 'http', url: 'https://mcp.example.com/x', headers: { 'X-Bird': 'heron' } },
    },
    strictMcpConfig: {
      value: true,
      seen: ({ argv }) => argv.includes('--strict-mcp-config'),
      expected: true,
    },
    enableFileCheckpointing: {
      value: true,
      seen: ({ transcript }) => transcript.includes('"type":"file-history-snapshot"'),
      expected: true,
    },
  } satisfies Record<string, Row>;
}

/** The transcript of a session, wherever Claude Code keeps it. */
export function readTranscript({ configDir }: Sandbox, sessionId: string): string {
  const projects = join(configDir, 'projects');
  const name = readdirSync(projects, { recursive: true })
    .map(String)
    .find((path) => path.endsWith(`${sessionId}.jsonl`));
  return name === undefined ? '' : readFileSync(join(projects, name), 'utf8');
}

function flag(name: string, expected: string): Pick<Row, 'seen' | 'expected'> {
  return { seen: ({ argv }) => valueOf(argv, name), expected };
}

function says(part: 'system' | 'messages', words: string): Pick<Row, 'seen' | 'expected'> {
  return { seen: ({ request }) => JSON.stringify(request.body[part]).includes(words), expected: true };
}

function skillsIn(body: string): string[] {
  return [...body.matchAll(/SKILL OF THE [A-Z]+/g)].map(([words]) => words);
}
