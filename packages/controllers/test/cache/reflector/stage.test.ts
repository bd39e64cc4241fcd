import { describe, expect, it } from 'vitest';
import type { OpenWatch } from '../../../src/cache/reflector/open-watch.ts';
import {
  chooseFirstStage,
  decideNextStage,
  type ListingStage,
  type Outcome,
  type WaitingStage,
  type WatchingStage,
} from '../../../src/cache/reflector/stage.ts';
import { apiError, createConnectionReset, createExpiredError, createStreamRejection } from '../support.ts';

const streamStage: ListingStage = { state: 'listing', method: 'stream' };
const pagesStage: ListingStage = { state: 'listing', method: 'pages' };
const wholeListStage: ListingStage = { state: 'listing', method: 'whole' };
const watchingStage: WatchingStage = { state: 'watching', fromVersion: '5' };
const failedOutcome = (error: unknown, version = '7'): Outcome => ({ kind: 'failed', error, version });
const resumedWatch: WatchingStage = { state: 'watching', fromVersion: '7' };

const createWaitingStage = (error: unknown, nextStage: ListingStage | WatchingStage, minMs = 0): WaitingStage => ({
  state: 'waiting',
  pace: { isGrowing: true, minMs },
  error,
  nextStage,
});

describe('chooseFirstStage', () => {
  it('lists if no version is known, and watches from a known version', () => {
    expect(chooseFirstStage(undefined, true)).toEqual(streamStage);
    expect(chooseFirstStage(undefined, false)).toEqual(pagesStage);
    expect(chooseFirstStage('7', true)).toEqual(resumedWatch);
  });
});

describe('decideNextStage after a list', () => {
  it('watches from the listed version, with the watch of a streaming list', () => {
    const openedWatch = {} as OpenWatch;
    expect(decideNextStage(streamStage, { kind: 'listed', version: '7', openedWatch }, true)).toEqual({
      stage: { ...resumedWatch, openedWatch },
      useWatchList: true,
    });
    expect(decideNextStage(pagesStage, { kind: 'listed', version: '7' }, true).stage).toMatchObject(resumedWatch);
  });

  it.each([
    ['refused', createStreamRejection()],
    ['not understood', apiError(400, 'BadRequest')],
    ['never ended', Object.assign(new Error('late'), { name: 'TimeoutError' })],
  ])('falls back to pages permanently and at once if a stream is %s', (_, error) => {
    expect(decideNextStage(streamStage, { kind: 'failed', error }, true)).toEqual({ stage: pagesStage, useWatchList: false });
  });

  it.each([
    ['broken', createConnectionReset()],
    ['answered with 429', apiError(429, 'TooManyRequests')],
    ['answered with 503', apiError(503, 'ServiceUnavailable')],
  ])('waits, then uses pages once, if a stream is %s', (_, error) => {
    expect(decideNextStage(streamStage, { kind: 'failed', error }, true)).toEqual({
      stage: createWaitingStage(error, pagesStage),
      useWatchList: true,
    });
  });

  it('lists without pages at once if the snapshot of the pages expired', () => {
    expect(decideNextStage(pagesStage, { kind: 'failed', error: createExpiredError() }, false)).toEqual({
      stage: wholeListStage,
      useWatchList: false,
    });
  });

  it('waits and starts from the first stage if the unpaged list expired', () => {
    const error = createExpiredError();
    expect(decideNextStage(wholeListStage, { kind: 'failed', error }, true)).toEqual({
      stage: createWaitingStage(error, streamStage),
      useWatchList: true,
    });
  });

  it('waits after any other failure', () => {
    const error = apiError(500, 'InternalError');
    expect(decideNextStage(pagesStage, { kind: 'failed', error }, false).stage).toEqual(createWaitingStage(error, pagesStage));
  });
});

describe('decideNextStage after a watch', () => {
  it('resumes at once if the watch lasted a while', () => {
    expect(decideNextStage(watchingStage, { kind: 'ended', version: '7', advanced: true, milliseconds: 1000 }, true).stage).toEqual(
      resumedWatch,
    );
  });

  it.each([
    ['a growing delay', 'no newer version', false],
    ['the shortest delay', 'a newer version', true],
  ])('waits with %s if a very short watch delivered %s', (_delay, _version, advanced) => {
    const { stage } = decideNextStage(watchingStage, { kind: 'ended', version: '7', advanced, milliseconds: 999 }, true);
    expect(stage).toEqual({ state: 'waiting', pace: { isGrowing: !advanced, minMs: 0 }, nextStage: resumedWatch });
  });

  it.each([
    ['a broken connection', createConnectionReset()],
    ['500', apiError(500, 'InternalError')],
    ['503', apiError(503, 'ServiceUnavailable')],
    ['504', apiError(504, 'Timeout')],
    ['401', apiError(401, 'Unauthorized')],
    ['404', apiError(404, 'NotFound')],
  ])('resumes at the last version after %s', (_, error) => {
    expect(decideNextStage(watchingStage, failedOutcome(error), true).stage).toEqual(createWaitingStage(error, resumedWatch));
  });

  it.each([
    ['410 Expired', createExpiredError()],
    ['410 Gone, as from Kubernetes 1.17', apiError(410, 'Gone')],
    ['a version that the server has never had', apiError(504, 'Timeout', { causes: [{ reason: 'ResourceVersionTooLarge' }] })],
    ['400', apiError(400, 'BadRequest')],
    ['422', apiError(422, 'Invalid')],
  ])('lists again after %s', (_, error) => {
    expect(decideNextStage(watchingStage, failedOutcome(error), true).stage).toEqual(createWaitingStage(error, streamStage));
    expect(decideNextStage(watchingStage, failedOutcome(error), false).stage).toEqual(createWaitingStage(error, pagesStage));
  });

  it('lists again if an event is lost', () => {
    const error = new Error('what?');
    expect(decideNextStage(watchingStage, { kind: 'failed', error, version: '7', lost: true }, false).stage).toEqual(
      createWaitingStage(error, pagesStage),
    );
  });

  it('waits at least as long as the server requests', () => {
    const error = apiError(429, 'TooManyRequests', { retryAfterSeconds: 7 });
    expect(decideNextStage(watchingStage, failedOutcome(error), true).stage).toEqual(createWaitingStage(error, resumedWatch, 7000));
  });
});

describe('decideNextStage after a wait', () => {
  it('enters the stage that follows the wait', () => {
    expect(decideNextStage(createWaitingStage(createConnectionReset(), resumedWatch), { kind: 'waited' }, true).stage).toEqual(
      resumedWatch,
    );
    expect(decideNextStage(createWaitingStage(createConnectionReset(), wholeListStage), { kind: 'waited' }, true).stage).toEqual(
      wholeListStage,
    );
  });
});
