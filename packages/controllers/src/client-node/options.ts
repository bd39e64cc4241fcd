import { type Clock, systemClock } from 'kube-endpoints/port';

/** Settings of the port's requests. All have defaults. */
export interface ClientNodePortOptions {
  /** Number of connections that calls share; further calls wait. Each watch has its own connection. 32 by default. */
  readonly maxSockets?: number;
  /** Milliseconds to establish a new connection, including TLS. 10,000 by default. */
  readonly connectTimeout?: number;
  /**
   * Milliseconds without data after which a request fails; does not apply to a watch once it has started. 70,000 by default, because an API
   * server gives up by itself after 60 seconds.
   */
  readonly timeout?: number;
  /** Milliseconds for which credentials are used before they are checked again. 30,000 by default. A 401 triggers a check at once. */
  readonly credentialsPeriod?: number;
  /** Whether to request compressed lists. True by default. */
  readonly gzip?: boolean;
  /** Maximum size of a watch event, in bytes. 32 MiB by default. */
  readonly maxEventBytes?: number;
  /** "kube-endpoints/VERSION" by default. */
  readonly userAgent?: string;
  /** The system clock by default. */
  readonly clock?: Clock;
}

export interface Settings extends Readonly<Required<Omit<ClientNodePortOptions, 'userAgent'>>> {
  readonly userAgent: string | undefined;
}

/** @throws RangeError that names the invalid option */
export function createSettings(options: ClientNodePortOptions): Settings {
  const settings: Settings = { ...defaults, userAgent: undefined, ...omitUndefined(options) };
  for (const name of numberOptions) {
    const value = settings[name];
    if (!Number.isSafeInteger(value) || value <= 0 || value > maxTimerMs) {
      throw new RangeError(`${name} must be a whole number from 1 to ${maxTimerMs}, not ${value}`);
    }
  }
  if (settings.userAgent !== undefined && !/^[\x20-\x7e]+$/.test(settings.userAgent)) {
    throw new RangeError('userAgent must contain only printable ASCII characters');
  }
  return settings;
}

const defaults: Omit<Settings, 'userAgent'> = {
  maxSockets: 32,
  connectTimeout: 10_000,
  timeout: 70_000,
  credentialsPeriod: 30_000,
  gzip: true,
  maxEventBytes: 32 * 1024 * 1024,
  clock: systemClock,
};

const numberOptions = ['maxSockets', 'connectTimeout', 'timeout', 'credentialsPeriod', 'maxEventBytes'] as const;

/** The maximum delay of a Node.js timer. */
const maxTimerMs = 0x7fffffff;

/** Returns the fields that are not undefined. */
export const omitUndefined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
