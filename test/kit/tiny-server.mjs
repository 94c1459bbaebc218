/** The smallest MCP server that the server client's own tests need. */
import { spawn } from 'node:child_process';
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const Name = z.object({ name: z.string() });

const reply = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

process.stderr.write(`tiny server ${process.pid}\n`);
serveStdio(({ era }) => {
  const server = new McpServer({ name: 'tiny', version: '1.0.0' });
  server.registerTool('who', { inputSchema: z.object({}) }, async () =>
    reply({ era, home: process.env['HOME'], cwd: process.cwd(), argv: process.argv.slice(2) }),
  );
  server.registerTool('fail', { inputSchema: z.object({}) }, async () => ({
    content: [{ type: 'text', text: 'Error [TEST]: as asked' }],
    isError: true,
  }));
  server.registerTool('chatter', { inputSchema: z.object({}) }, async () => {
    process.stdout.write('a log line where none belongs\n');
    return reply({});
  });
  server.registerTool('leave-orphan', { inputSchema: z.object({}) }, async () => {
    const orphan = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    orphan.unref();
    return reply({ pid: orphan.pid });
  });
  server.registerTool('ask', { inputSchema: z.object({}) }, async (_args, ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'name', Name);
    if (answer) return reply(answer);
    const form = inputRequired.elicit({ message: 'Your name?', requestedSchema: Name });
    return inputRequired({ inputRequests: { name: form } });
  });
  server.registerTool('progress', { inputSchema: z.object({}) }, async (_args, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    return reply({});
  });
  return server;
});
process.stdin.on('end', () => process.exit(0));
