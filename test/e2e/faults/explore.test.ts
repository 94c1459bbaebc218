import { it } from 'vitest';
import { startScene } from '../../kit/fixture.js';
import { faultyCli, type FaultyMode } from '../../kit/faulty-cli-env.js';

const modes: FaultyMode[] = [
  'ok',
  'exit-at-once',
  'silent',
  'silent-after-initialize',
  'crash-mid-turn',
  'kill-self-mid-turn',
  'exit-without-result',
  'garbage',
  'garbage-only',
  'json-null',
  'half-line',
  'unknown-types',
  'flood',
  'huge-line',
  'ignores-interrupt',
  'dialog',
  'elicitation',
  'late-result',
  'double-result',
  'clear',
];
it.each(modes)(
  '%s',
  async (mode) => {
    const { server, sandbox } = await startScene({ era: 'modern', env: faultyCli(mode, { count: 5000 }) });
    let t = Date.now();
    const started = await server.call('claude_code', {
      prompt: 'go',
      cwd: sandbox.project,
      waitMs: 3000,
      advanced: { sessionInitTimeoutMs: 1500 },
    });
    console.log(mode, 'START', Date.now() - t, started.text.length, started.text.slice(0, 1500));
    if (!started.isError) {
      const { sessionId } = started.json;
      const c = await server.call('claude_code_check', {
        sessionId,
        cursor: 0,
        waitMs: 0,
        include: ['events', 'usage', 'tools'],
      });
      console.log(mode, 'CHECK', c.text.length, c.text.slice(0, 1800));
      t = Date.now();
      const r = await server.call('claude_code_reply', { sessionId, prompt: 'again', waitMs: 3000 });
      console.log(mode, 'REPLY', Date.now() - t, r.text.slice(0, 800));
      t = Date.now();
      const i = await server.call('claude_code_session', { sessionId, action: 'interrupt' });
      console.log(mode, 'INTERRUPT', Date.now() - t, i.text.slice(0, 800));
    }
    const l = await server.call('claude_code_session', { action: 'list' });
    console.log(mode, 'LIST', l.text.slice(0, 600));
    console.log(
      mode,
      'LEFT',
      sandbox.processes().map((p) => p.command.slice(0, 80)),
    );
    console.log(mode, 'STDERR', server.stderr(), server.strayLines());
  },
  60_000,
);
