import { expect, it } from 'vitest';
import { imageSizeOf } from '../../../src/sessions/attachments/image-size.js';
import { gif, jpeg, onePixel, png, webp } from '../../kit/attached-files.js';

it.each([
  ['image/png', png(640, 480)],
  ['image/gif', gif(640, 480)],
  ['image/jpeg', jpeg(640, 480)],
  ['image/webp', webp.lossy(640, 480)],
  ['image/webp', webp.lossless(640, 480)],
  ['image/webp', webp.extended(640, 480)],
] as const)('the size of an image is in its header: %s', (type, bytes) => {
  expect(imageSizeOf(type, bytes)).toEqual({ width: 640, height: 480 });
});

it('a real image has one', () => {
  expect(imageSizeOf('image/png', onePixel)).toEqual({ width: 1, height: 1 });
});

it.each([
  ['ends in its header', 'image/png', png(1, 1).subarray(0, 20)],
  ['has no pixels', 'image/gif', gif(0, 1)],
  ['has no frame', 'image/jpeg', Buffer.from('ffd8ffe00002ffd9', 'hex')],
  ['has other bytes between its parts', 'image/jpeg', Buffer.from('ffd8ffe0000200000000', 'hex')],
  ['has an unknown form', 'image/webp', Buffer.from('RIFF\0\0\0\0WEBPXXXX')],
] as const)('an image that %s is damaged', (_what, type, bytes) => {
  expect(imageSizeOf(type, bytes)).toBeUndefined();
});
