/**
 * The commands that need HTTP. A program of its own, so that the server over stdin and stdout neither contains nor loads
 * any of it.
 */
import { createService } from '../app/compose-service.js';
import { banner, bannerJson } from '../commands/serve.js';
import { runProgram, settingsFor } from './program.js';
import { appConfigOf, endInOrder } from './run.js';

await runProgram(async (args, redactor) => {
  const loaded = await settingsFor(args);
  const config = await appConfigOf(loaded, redactor, import.meta.url);
  const service = await createService(config, loaded.principals);
  endInOrder(service, config.logger);
  const isStyled = process.stdout.isTTY && !process.env['NO_COLOR'];
  process.stdout.write(args.json ? bannerJson(service) : banner(service, { isStyled, notes: service.notes }));
});
