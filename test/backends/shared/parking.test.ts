import { expect, it } from 'vitest';
import { Parking } from '../../../src/backends/shared/parking.js';

it('refuses a process whose executable or environment would be another now', () => {
  const parking = new Parking();
  parking.start('as it was');

  expect(() => parking.refuseChange('as it was')).not.toThrow();
  expect(() => parking.refuseChange('changed')).toThrow('has changed');
});

it('rejects if the process leaves before it waits, and not afterwards', async () => {
  const [early, late] = [new Parking(), new Parking()];

  early.leave('Claude Code has exited');
  late.arrive();
  late.leave('Claude Code has exited');

  await expect(early.parked).rejects.toThrow('Claude Code has exited');
  await expect(late.parked).resolves.toBeUndefined();
});
