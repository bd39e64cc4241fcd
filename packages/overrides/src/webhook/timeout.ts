import { parseDuration } from 'kube-endpoints/internal';

/**
 * The milliseconds of the `timeout` that an API server puts into the address of a call, "10s"; undefined where there is none that can be read.
 * The server waits no longer, so that an answer after it is of no use to anybody.
 */
export function timeoutIn(url: string): number | undefined {
  const text = inQuery.exec(url)?.[1];
  if (text === undefined) return undefined;
  try {
    const milliseconds = parseDuration(text);
    return milliseconds > 0 ? milliseconds : undefined;
  } catch {
    return undefined;
  }
}

const inQuery = /[?&]timeout=([^&]*)/;
