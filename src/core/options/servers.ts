import * as z from 'zod';
import { argument, defineOptions, fitsArgument, tooLong } from './define.js';

const common = { timeout: z.int().min(1).max(3_600_000).optional(), alwaysLoad: z.boolean().optional() };

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const controls = /(?!\t)\p{Cc}/u;

/** A line break would add a header to every request, or end its head. */
const headerMap = z
  .record(z.string().min(1).max(200), z.string().max(10_000))
  .refine((headers) => Object.keys(headers).length <= 20, 'has more than 20 entries')
  .refine(
    (headers) => Object.keys(headers).every((name) => headerName.test(name)),
    'contains an invalid header name',
  )
  .refine(
    (headers) => !Object.values(headers).some((value) => controls.test(value)),
    'has a value with a line break or another control character',
  );

const remoteServer = (type: 'http' | 'sse') =>
  z.strictObject({
    type: z.literal(type),
    url: z.url({ protocol: /^https?$/ }).max(2_000),
    headers: headerMap.optional(),
    headersHelper: z.string().max(2_000).optional(),
    ...common,
  });

const localServer = z.strictObject({
  type: z.literal('stdio').optional(),
  command: argument(4_096),
  args: z.array(z.string().max(10_000)).max(200).optional(),
  env: z.record(z.string().min(1).max(200), z.string().max(10_000)).optional(),
  ...common,
});

export const serverSchema = z.union([remoteServer('http'), remoteServer('sse'), localServer]);

/** The MCP servers of a session. */
export const serverOptions = defineOptions({
  mcpServers: {
    schema: z
      .record(
        z
          .string()
          .max(100)
          .regex(/^[A-Za-z0-9][\w-]*$/, 'must be letters, digits, - and _'),
        serverSchema,
      )
      .refine((servers) => Object.keys(servers).length <= 20, 'has more than 20 entries')
      .refine(fitsArgument, tooLong),
    place: 'advanced',
    isOpaque: true,
    words: '{name:{type:"http"|"sse",url,headers?}}',
    long: 'MCP servers for this session, by name: `{ type: "http" | "sse", url, headers }`. `{ command, args, env }`, `headersHelper`, private addresses and `${…}` in a value require `CLAUDE_CODE_MCP_CALLER_TRUST=full`, and so does the name of a server that the user has configured. Default: those of the user.',
  },
  strictMcpConfig: {
    schema: z.boolean(),
    place: 'advanced',
    long: 'Whether to use only `mcpServers` and ignore the servers of the user and the project. Default: false.',
  },
});
