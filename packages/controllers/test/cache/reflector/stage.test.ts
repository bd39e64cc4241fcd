import { describe, expect, it } from 'vitest';
import type { OpenWatch } from '../../../src/cache/reflector/open-watch.ts';
import { decide, firstStage, type Listing, type Outcome, type Waiting, type Watching } from '../../../src/cache/reflector/stage.ts';
import { apiError, broken, expired, noStreams } from '../support.ts';

const stream: Listing = { state: 'listing', by: 'stream' };
const pages: Listing = { state: 'listing', by: 'pages' };
const whole: Listing = { state: 'listing', by: 'whole' };
const watching: Watching = { state: 'watching', from: '5' };
const failed = (error: unknown, version = '7'): Outcome => ({ kind: 'failed', error, version });
const resumed: Watching = { state: 'watching', from: '7' };

const waiting = (error: unknown, next: Listing | Watching, atLeast = 0): Waiting => ({
  state: 'waiting',
  pace: { growing: true, atLeast },
  error,
  next,
});

describe('firstStage', () => {
  it('lists without a version, and watches with one', () => {
    expect(firstStage(undefined, true)).toEqual(stream);
    expect(firstStage(undefined, false)).toEqual(pages);
    expect(firstStage('7', true)).toEqual(resumed);
  });
});

describe('decide, after a list', () => {
  it('watches from the listed version, with the watch of a streaming list', () => {
    const open = {} as OpenWatch;
    expect(decide(stream, { kind: 'listed', version: '7', open }, true)).toEqual({ stage: { ...resumed, open }, streams: true });
    expect(decide(pages, { kind: 'listed', version: '7' }, true).stage).toMatchObject(resumed);
  });

  it.each([
    ['refused', noStreams()],
    ['not understood', apiError(400, 'BadRequest')],
    ['never ended', Object.assign(new Error('late'), { name: 'TimeoutError' })],
  ])('falls back to pages permanently and at once if a stream is %s', (_, error) => {
    expect(decide(stream, { kind: 'failed', error }, true)).toEqual({ stage: pages, streams: false });
  });

  it.each([
    ['cut', broken()],
    ['answered with 429', apiError(429, 'TooManyRequests')],
    ['answered with 503', apiError(503, 'ServiceUnavailable')],
  ])('waits, then uses pages once, if a stream is %s', (_, error) => {
    expect(decide(stream, { kind: 'failed', error }, true)).toEqual({ stage: waiting(error, pages), streams: true });
  });

  it('lists without pages at once if the snapshot of the pages expired', () => {
    expect(decide(pages, { kind: 'failed', error: expired() }, false)).toEqual({ stage: whole, streams: false });
  });

  it('waits and starts from the first stage if the unpaged list expired', () => {
    const error = expired();
    expect(decide(whole, { kind: 'failed', error }, true)).toEqual({ stage: waiting(error, stream), streams: true });
  });

  it('waits after any other failure', () => {
    const error = apiError(500, 'InternalError');
    expect(decide(pages, { kind: 'failed', error }, false).stage).toEqual(waiting(error, pages));
  });
});

describe('decide, after a watch', () => {
  it('resumes at once if the watch lasted a while', () => {
    expect(decide(watching, { kind: 'ended', version: '7', moved: true, milliseconds: 1000 }, true).stage).toEqual(resumed);
  });

  it.each([
    [false, true],
    [true, false],
  ])('waits if the watch ended at once; moved: %s, growing delay: %s', (moved, growing) => {
    const { stage } = decide(watching, { kind: 'ended', version: '7', moved, milliseconds: 999 }, true);
    expect(stage).toEqual({ state: 'waiting', pace: { growing, atLeast: 0 }, next: resumed });
  });

  it.each([
    ['a broken connection', broken()],
    ['500', apiError(500, 'InternalError')],
    ['503', apiError(503, 'ServiceUnavailable')],
    ['504', apiError(504, 'Timeout')],
    ['401', apiError(401, 'Unauthorized')],
    ['404', apiError(404, 'NotFound')],
  ])('resumes at the last version after %s', (_, error) => {
    expect(decide(watching, failed(error), true).stage).toEqual(waiting(error, resumed));
  });

  it.each([
    ['410 Expired', expired()],
    ['410 Gone, as 1.17 says', apiError(410, 'Gone')],
    ['a version that the server has never had', apiError(504, 'Timeout', { causes: [{ reason: 'ResourceVersionTooLarge' }] })],
    ['400', apiError(400, 'BadRequest')],
    ['422', apiError(422, 'Invalid')],
  ])('lists again after %s', (_, error) => {
    expect(decide(watching, failed(error), true).stage).toEqual(waiting(error, stream));
    expect(decide(watching, failed(error), false).stage).toEqual(waiting(error, pages));
  });

  it('lists again if an event is lost', () => {
    const error = new Error('what?');
    expect(decide(watching, { kind: 'failed', error, version: '7', lost: true }, false).stage).toEqual(waiting(error, pages));
  });

  it('waits at least as long as the server requests', () => {
    const error = apiError(429, 'TooManyRequests', { retryAfterSeconds: 7 });
    expect(decide(watching, failed(error), true).stage).toEqual(waiting(error, resumed, 7000));
  });
});

describe('decide, after a wait', () => {
  it('enters the stage that was waited for', () => {
    expect(decide(waiting(broken(), resumed), { kind: 'waited' }, true).stage).toEqual(resumed);
    expect(decide(waiting(broken(), whole), { kind: 'waited' }, true).stage).toEqual(whole);
  });
});
