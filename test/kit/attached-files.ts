/** The first bytes of files of each kind that can be attached to a prompt. */

/** A whole image of one pixel. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export function png(width: number, height: number): Buffer {
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    Buffer.from('\0\0\0\rIHDR', 'latin1'),
    big(4, width),
    big(4, height),
  ]);
}

export function gif(width: number, height: number): Buffer {
  return Buffer.concat([Buffer.from('GIF89a'), little(2, width), little(2, height)]);
}

/** With a comment before the frame header, as cameras write them. */
export function jpeg(width: number, height: number): Buffer {
  return Buffer.concat([Buffer.from('ffd8fffe0004616bffffc0001108', 'hex'), big(2, height), big(2, width)]);
}

/** The three forms of the format. */
export const webp = {
  lossy: (width: number, height: number): Buffer =>
    riff('VP8 ', Buffer.alloc(6), little(2, width), little(2, height)),
  lossless: (width: number, height: number): Buffer =>
    riff('VP8L', Buffer.from([0x2f]), little(4, (width - 1) | ((height - 1) << 14))),
  extended: (width: number, height: number): Buffer =>
    riff('VP8X', Buffer.alloc(4), little(3, width - 1), little(3, height - 1)),
};

export const pdf = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');

function riff(form: string, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${form}`), Buffer.alloc(4), ...parts]);
}

function big(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

function little(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
