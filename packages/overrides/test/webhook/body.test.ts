import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it, test } from 'vitest';
import { createPolicyReview, findUid, readBody } from '../../src/webhook/body.ts';

const limits = { bodyBytes: 10_000, buffered: 20_000 };
const text = `{"request":{"uid":"a-1","object":"${'x'.repeat(6_000)}"}}`;

const createBody = (bufferUsage = { bytes: 0 }) => {
  const stream = new PassThrough();
  return { stream, bufferUsage, body: readBody(stream as unknown as IncomingMessage, bufferUsage, limits) };
};

it('readBody reads a complete body and releases its memory', async () => {
  const { stream, bufferUsage, body } = createBody();
  stream.write(text.slice(0, 100));
  stream.end(text.slice(100));
  expect(await body.completed).toBe('complete');
  expect(body.decode()).toBe(text);
  expect(bufferUsage.bytes).toBe(text.length);
  body.release();
  body.release();
  expect(bufferUsage.bytes).toBe(0);
});

it('readBody keeps only the start of a body that is too large, and reads it to the end', async () => {
  const { stream, bufferUsage, body } = createBody();
  stream.write(text);
  stream.write(text);
  stream.end(text);
  expect(await body.completed).toBe('tooLarge');
  expect(body.findUid()).toBe('a-1');
  expect(bufferUsage.bytes).toBe(4096);
  body.release();
  expect(bufferUsage.bytes).toBe(0);
});

it('readBody drops a body that exceeds the shared buffer limit', async () => {
  const { stream, body } = createBody({ bytes: 15_000 });
  stream.end(text);
  expect(await body.completed).toBe('overloaded');
  expect(body.findUid()).toBe('a-1');
});

it('readBody reports a body that its client aborts', async () => {
  const { stream, body } = createBody();
  stream.write(text.slice(0, 50));
  stream.destroy(new Error('disconnected'));
  expect(await body.completed).toBe('aborted');
  expect(body.findUid()).toBe('a-1');
});

test.each([
  ['{"kind":"AdmissionReview","request":{"uid":"a-1","kind":{', 'a-1'],
  ['{ "request" : { "uid" : "a-1"', 'a-1'],
  ['{"request":{"name":"x","uid":"a-1"', ''],
  ['{"request":{"uid":"a 1"', ''],
  ['', ''],
])('findUid finds in %j the uid %j', (text, uid) => {
  expect(findUid(text)).toBe(uid);
});

test('createPolicyReview builds the response of the failure policy', () => {
  expect(createPolicyReview('u', 'allow', 'late', 'why').response).toEqual({
    uid: 'u',
    allowed: true,
    warnings: ['endpoint overrides not applied: why'],
  });
  expect(createPolicyReview('u', 'deny', 'late', 'why').response).toEqual({
    uid: 'u',
    allowed: false,
    status: { status: 'Failure', code: 504, reason: 'Timeout', message: 'endpoint overrides not applied: why' },
  });
});
