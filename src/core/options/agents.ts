import * as z from 'zod';
import { argument, defineOptions } from './define.js';
import { effortLevels } from './model.js';
import { serverSchema } from './servers.js';
import { permissionModes, toolRules } from './tools.js';

/** A subagent as Claude Code defines it. It includes keys that run code or skip approval: the policy judges them. */
const agentSchema = z.strictObject({
  description: z.string().min(1).max(10_000),
  prompt: z.string().min(1).max(200_000),
  tools: toolRules.optional(),
  disallowedTools: toolRules.optional(),
  model: argument(200).optional(),
  effort: z.enum(effortLevels).optional(),
  maxTurns: z.int().min(1).max(10_000).optional(),
  skills: z.array(argument(200)).max(100).optional(),
  background: z.boolean().optional(),
  mcpServers: z
    .array(z.union([argument(200), z.record(argument(200), serverSchema)]))
    .max(20)
    .optional(),
  permissionMode: z.enum(permissionModes).optional(),
  initialPrompt: z.string().max(200_000).optional(),
});

const agentName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][\w-]*$/, 'must be letters, digits, - and _');

/** Subagents, and the agent that Claude itself runs as. */
export const agentOptions = defineOptions({
  agents: {
    schema: z
      .record(agentName, agentSchema)
      .refine((agents) => Object.keys(agents).length <= 50, 'has more than 50 entries'),
    place: 'advanced',
    isOpaque: true,
    words: '{name:{description,prompt,tools?,model?}}',
    long: 'Subagents for this session, by name. Keys: `description`, `prompt`, `tools`, `disallowedTools`, `model`, `effort`, `maxTurns`, `skills`, `background`. `mcpServers`, `permissionMode` and `initialPrompt` require `CLAUDE_CODE_MCP_CALLER_TRUST=full`. Default: none.',
  },
  agent: {
    schema: agentName,
    place: 'advanced',
    long: 'Name of the agent that Claude itself runs as: defined in `agents`, by the user, by a trusted project or by Claude Code. An unknown name is refused. Default: none.',
  },
});
