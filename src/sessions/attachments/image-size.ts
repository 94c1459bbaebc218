import type { ImageType } from '../../core/claude/attachment.js';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const readers: Readonly<Record<ImageType, (bytes: Buffer) => ImageSize | undefined>> = {
  'image/png': (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

/** The size of an image, from its header; undefined if it is damaged. */
export function imageSizeOf(type: ImageType, bytes: Buffer): ImageSize | undefined {
  try {
    const size = readers[type](bytes);
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    // It ends within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** These begin with the same byte as a frame header, but are none. */
const otherMarkers: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

function jpegSize(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && !otherMarkers.has(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
