import { ApiError, type ApiObject, type ObjectKey, type Status, type WatchEvent } from '../../../src/port/index.ts';
import type { PortFactory, PortUnderTest } from './describe-client-port.ts';

/** Returns a test function that runs a test with a new port, and closes the port. */
export const withPort =
  (make: PortFactory, test: (context: PortUnderTest) => Promise<void>): (() => Promise<void>) =>
  async () => {
    const context = await make();
    try {
      await test(context);
    } finally {
      await context.close?.();
    }
  };

export const configMap = ({ namespace }: PortUnderTest, name: string, overrides: Readonly<Record<string, unknown>> = {}): ApiObject => {
  const { labels, finalizers, ...fields } = overrides;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name, ...(labels !== undefined && { labels }), ...(finalizers !== undefined && { finalizers }) },
    ...fields,
  } as ApiObject;
};

export const keyOf = ({ namespace }: PortUnderTest, name: string): ObjectKey => ({ namespace, name });

/** Awaits the failure of a call. @throws if the call succeeds */
export async function statusOf(promise: Promise<unknown>): Promise<Status> {
  return promise.then(
    () => {
      throw new Error('the call did not fail');
    },
    (error: unknown) => {
      if (error instanceof ApiError) return error.status;
      throw error;
    },
  );
}

export const namesOf = (objects: readonly ApiObject[]): (string | undefined)[] => objects.map(({ metadata }) => metadata.name);

export const versionOf = ({ metadata }: ApiObject): string => metadata.resourceVersion as string;

/** Reads the next `count` events of a watch, which stays open. @throws if the watch ends earlier */
export async function nextEvents(iterator: AsyncIterator<WatchEvent>, count: number): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  while (events.length < count) {
    const { value, done } = await iterator.next();
    if (done) throw new Error(`the watch ended after ${events.length} events`);
    events.push(value);
  }
  return events;
}

export const typesAndNames = (events: readonly WatchEvent[]): string[] =>
  events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim());

/** Starts a watch, runs the work with its iterator, and ends the watch. */
export async function withWatch<T>(
  iterable: AsyncIterable<WatchEvent>,
  work: (iterator: AsyncIterator<WatchEvent>) => Promise<T>,
): Promise<T> {
  const iterator = iterable[Symbol.asyncIterator]();
  try {
    return await work(iterator);
  } finally {
    await iterator.return?.();
  }
}
