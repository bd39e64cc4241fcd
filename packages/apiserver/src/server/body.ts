import type { IncomingMessage } from 'node:http';
import type { ApiError } from 'kube-endpoints/port';
import { bodyTooLarge } from '../http/refusals.ts';
import { badRequest } from '../store/index.ts';

/** The whole body. Not a byte beyond the limit is kept. @throws ApiError */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  if ((declaredLength(incoming) ?? 0) > limit) return Promise.reject(bodyTooLarge(limit));
  if (incoming.destroyed) return Promise.reject(cutShort());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (): void => {
      incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      settle();
      incoming.pause();
      reject(bodyTooLarge(limit));
    };
    const onEnd = (): void => {
      settle();
      resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size));
    };
    const onGone = (): void => {
      settle();
      reject(cutShort());
    };
    incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** What the headers say of the body's length; undefined where it comes in chunks, of which nobody knows how many. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  const length = headers['content-length'];
  return length === undefined ? 0 : Number(length);
}

const cutShort = (): ApiError => badRequest('unexpected EOF');
