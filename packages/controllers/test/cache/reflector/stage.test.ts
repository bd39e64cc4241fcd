import { describe, expect, it } from 'vitest';
import type { OpenWatch } from '../../../src/cache/reflector/open-watch.ts';
import { decide, firstStage, type Listing, type Outcome, type Waiting, type Watching } from '../../../src/cache/reflector/stage.ts';
import { apiError, createConnectionReset, createExpiredError, createStreamRejection } from '../support.ts';

const stream: Listing = { state: 'listing', method: 'stream' };
const pages: Listing = { state: 'listing', method: 'pages' };
const unpaged: Listing = { state: 'listing', method: 'whole' };
const watching: Watching = { state: 'watching', fromVersion: '5' };
const failedOutcome = (error: unknown, version = '7'): Outcome => ({ kind: 'failed', error, version });
const resumedWatch: Watching = { state: 'watching', fromVersion: '7' };

const waiting = (error: unknown, next: Listing | Watching, minMs = 0): Waiting => ({
  state: 'waiting',
  pace: { growing: true, minMs },
  error,
  next,
});

describe('firstStage', () => {
  it('lists if no version is known, and watches from a known version', () => {
    expect(firstStage(undefined, true)).toEqual(stream);
    expect(firstStage(undefined, false)).toEqual(pages);
    expect(firstStage('7', true)).toEqual(resumedWatch);
  });
});

describe('decide after a list', () => {
  it('watches from the listed version, with the watch of a streaming list', () => {
    const openedWatch = {} as OpenWatch;
    expect(decide(stream, { kind: 'listed', version: '7', openedWatch }, true)).toEqual({
      stage: { ...resumedWatch, openedWatch },
      useWatchList: true,
    });
    expect(decide(pages, { kind: 'listed', version: '7' }, true).stage).toMatchObject(resumedWatch);
  });

  it.each([
    ['refused', createStreamRejection()],
    ['not understood', apiError(400, 'BadRequest')],
    ['never ended', Object.assign(new Error('late'), { name: 'TimeoutError' })],
  ])('falls back to pages permanently and at once if a stream is %s', (_, error) => {
    expect(decide(stream, { kind: 'failed', error }, true)).toEqual({ stage: pages, useWatchList: false });
  });

  it.each([
    ['broken', createConnectionReset()],
    ['answered with 429', apiError(429, 'TooManyRequests')],
    ['answered with 503', apiError(503, 'ServiceUnavailable')],
  ])('waits, then uses pages once, if a stream is %s', (_, error) => {
    expect(decide(stream, { kind: 'failed', error }, true)).toEqual({ stage: waiting(error, pages), useWatchList: true });
  });

  it('lists without pages at once if the snapshot of the pages expired', () => {
    expect(decide(pages, { kind: 'failed', error: createExpiredError() }, false)).toEqual({ stage: unpaged, useWatchList: false });
  });

  it('waits and starts from the first stage if the unpaged list expired', () => {
    const error = createExpiredError();
    expect(decide(unpaged, { kind: 'failed', error }, true)).toEqual({ stage: waiting(error, stream), useWatchList: true });
  });

  it('waits after any other failure', () => {
    const error = apiError(500, 'InternalError');
    expect(decide(pages, { kind: 'failed', error }, false).stage).toEqual(waiting(error, pages));
  });
});

describe('decide after a watch', () => {
  it('resumes at once if the watch lasted a while', () => {
    expect(decide(watching, { kind: 'ended', version: '7', advanced: true, milliseconds: 1000 }, true).stage).toEqual(resumedWatch);
  });

  it.each([
    [false, true],
    [true, false],
  ])('waits if the watch ended at once; newer version: %s, growing delay: %s', (advanced, growing) => {
    const { stage } = decide(watching, { kind: 'ended', version: '7', advanced, milliseconds: 999 }, true);
    expect(stage).toEqual({ state: 'waiting', pace: { growing, minMs: 0 }, next: resumedWatch });
  });

  it.each([
    ['a broken connection', createConnectionReset()],
    ['500', apiError(500, 'InternalError')],
    ['503', apiError(503, 'ServiceUnavailable')],
    ['504', apiError(504, 'Timeout')],
    ['401', apiError(401, 'Unauthorized')],
    ['404', apiError(404, 'NotFound')],
  ])('resumes at the last version after %s', (_, error) => {
    expect(decide(watching, failedOutcome(error), true).stage).toEqual(waiting(error, resumedWatch));
  });

  it.each([
    ['410 Expired', createExpiredError()],
    ['410 Gone, as from Kubernetes 1.17', apiError(410, 'Gone')],
    ['a version that the server has never had', apiError(504, 'Timeout', { causes: [{ reason: 'ResourceVersionTooLarge' }] })],
    ['400', apiError(400, 'BadRequest')],
    ['422', apiError(422, 'Invalid')],
  ])('lists again after %s', (_, error) => {
    expect(decide(watching, failedOutcome(error), true).stage).toEqual(waiting(error, stream));
    expect(decide(watching, failedOutcome(error), false).stage).toEqual(waiting(error, pages));
  });

  it('lists again if an event is lost', () => {
    const error = new Error('what?');
    expect(decide(watching, { kind: 'failed', error, version: '7', lost: true }, false).stage).toEqual(waiting(error, pages));
  });

  it('waits at least as long as the server requests', () => {
    const error = apiError(429, 'TooManyRequests', { retryAfterSeconds: 7 });
    expect(decide(watching, failedOutcome(error), true).stage).toEqual(waiting(error, resumedWatch, 7000));
  });
});

describe('decide after a wait', () => {
  it('enters the stage that follows the wait', () => {
    expect(decide(waiting(createConnectionReset(), resumedWatch), { kind: 'waited' }, true).stage).toEqual(resumedWatch);
    expect(decide(waiting(createConnectionReset(), unpaged), { kind: 'waited' }, true).stage).toEqual(unpaged);
  });
});
