import { expect, it } from 'vitest';
import { deferred } from '../../kit/deferred.js';
import { headersOf, pageScene, type Jar } from '../../kit/page-scene.js';

const never = new Promise<never>(() => undefined);

it('the streams of a device are twelve at most: another one takes the place of the oldest, which says why it ends', async () => {
  const { fetch, pair } = pageScene({
    desk: { stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => never }) }) },
  });
  const [jar, other] = [await pair(), await pair()];
  const open = async (from: Jar, closed: Promise<void> = never) => {
    const stream = await fetch('/api/stream', { headers: headersOf(from) }, { closed });
    let [text, isOver] = ['', false];
    void (async () => {
      for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
      isOver = true;
    })();
    return () => [text, isOver] as const;
  };
  const left = deferred();

  const streams = [await open(other), await open(jar)];
  for (let count = 1; count < 11; count += 1) streams.push(await open(jar));
  await open(jar, left.promise);
  left.resolve();
  await left.promise;
  streams.push(await open(jar));
  const before = streams.map((state) => state()[1]);
  streams.push(await open(jar));
  await expect.poll(() => streams[1]?.()[1]).toBe(true);

  expect(before).toEqual(Array(13).fill(false));
  expect(streams.map((state) => state()[1])).toEqual([false, true, ...Array(12).fill(false)]);
  expect(streams[1]?.()[0]).toBe(': stream\n\ndata: {"type":"bye","why":"too_many"}\n\n');
});
