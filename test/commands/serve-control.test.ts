import { describe, expect, it } from 'vitest';
import {
  serveStatus,
  serveStop,
  type ControlSettings,
  type Running,
} from '../../src/commands/serve-control.js';
import { ConfigError } from '../../src/config/config-error.js';

const url = 'http://127.0.0.1:8137/mcp';

/** A state folder with a service as process 7, if it runs. */
function place({ isRunning = true, isReady = true, json = false } = {}) {
  const ended: number[] = [];
  const isAlive = async (): Promise<boolean> => isRunning && ended.length === 0;
  const settings: ControlSettings<Running> = {
    stateDir: '/state',
    find: async () => ((await isAlive()) ? { url, pid: 7, isAlive } : undefined),
    isReady: async () => isReady,
    end: (pid) => void ended.push(pid),
    json,
  };
  return { settings, ended };
}

describe('the status', () => {
  it.each([
    [{}, { text: `A service runs at ${url}, process 7.\n`, exitCode: 0 }],
    [
      { isReady: false },
      {
        text: `A service runs at ${url}, process 7. It does not answer: it may be starting, shutting down or overloaded.\n`,
        exitCode: 1,
      },
    ],
    [
      { isRunning: false },
      { text: 'No service runs in /state. To start one: claude-code-mcp serve\n', exitCode: 1 },
    ],
    [{ json: true }, { text: `{"isRunning":true,"isReady":true,"url":"${url}","pid":7}\n`, exitCode: 0 }],
    [
      { json: true, isRunning: false },
      { text: '{"isRunning":false}\n', exitCode: 1 },
    ],
  ])('of %j is in the output and the exit code', async (which, expected) => {
    expect(await serveStatus(place(which).settings)).toEqual(expected);
  });
});

describe('stop', () => {
  it('ends the service and waits until it is gone', async () => {
    const { settings, ended } = place();

    const output = await serveStop(settings);

    expect(output).toEqual({ text: `Stopped the service at ${url}, process 7.\n`, exitCode: 0 });
    expect(ended).toEqual([7]);
  });

  it('ends nothing if no service runs', async () => {
    const { settings, ended } = place({ isRunning: false });

    const output = await serveStop(settings);

    expect(output).toEqual({ text: 'No service runs in /state.\n', exitCode: 0 });
    expect(ended).toEqual([]);
  });
});

it.each([serveStatus, serveStop])(
  'the address of a service that may not be read is refused with a reason, and nothing is ended: %o',
  async (command) => {
    const { settings, ended } = place();
    const refused = async (): Promise<undefined> => {
      throw new Error("EACCES: permission denied, open '/state/service.json'");
    };

    const output = command({ ...settings, find: refused });

    await expect(output).rejects.toThrow(ConfigError);
    await expect(output).rejects.toThrow(
      "The service in /state cannot be found: EACCES: permission denied, open '/state/service.json'. Run this command as the user of the service, or pass its --state-dir.",
    );
    expect(ended).toEqual([]);
  },
);
