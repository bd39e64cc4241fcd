import type { Clock } from 'kube-endpoints/port';

/** How the port goes about its requests. Everything has a default. */
export interface ClientNodePortOptions {
  /** How many connections calls share; more calls wait for their turn. A watch has a connection of its own. By default 32. */
  readonly maxSockets?: number;
  /** Milliseconds until a new connection stands, TLS included. By default 10,000. */
  readonly connectTimeout?: number;
  /**
   * Milliseconds for which the server may be silent while an answer is awaited or comes; a watch is open-ended once it has begun. By
   * default 70,000: an API server gives up by itself after 60 seconds.
   */
  readonly timeout?: number;
  /** Milliseconds for which credentials are used before they are looked at again. By default 30,000. A 401 has them looked at at once. */
  readonly credentialsPeriod?: number;
  /** Whether lists may come compressed, where the server offers that. By default they may. */
  readonly gzip?: boolean;
  /** The longest event of a watch, in bytes. By default 32 MiB. */
  readonly maxEventBytes?: number;
  /** By default kube-endpoints/VERSION. */
  readonly userAgent?: string;
  /** By default the machine's. */
  readonly clock?: Clock;
}

export interface Settings extends Readonly<Required<Omit<ClientNodePortOptions, 'userAgent'>>> {
  readonly userAgent: string | undefined;
}

/** @throws RangeError naming the option that cannot be meant */
export function settingsOf(options: ClientNodePortOptions): Settings {
  const settings: Settings = { ...defaults, userAgent: undefined, ...definedOf(options) };
  for (const name of numbers) {
    const value = settings[name];
    if (!Number.isSafeInteger(value) || value <= 0 || value > longest) {
      throw new RangeError(`${name} has to be a whole number from 1 to ${longest}, not ${value}`);
    }
  }
  if (settings.userAgent !== undefined && !/^[\x20-\x7e]+$/.test(settings.userAgent)) {
    throw new RangeError('userAgent has to be of printable ASCII characters');
  }
  return settings;
}

const machineClock: Clock = {
  now: () => Date.now(),
  schedule(callback, milliseconds) {
    const timer = setTimeout(callback, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
};

const defaults: Omit<Settings, 'userAgent'> = {
  maxSockets: 32,
  connectTimeout: 10_000,
  timeout: 70_000,
  credentialsPeriod: 30_000,
  gzip: true,
  maxEventBytes: 32 * 1024 * 1024,
  clock: machineClock,
};

const numbers = ['maxSockets', 'connectTimeout', 'timeout', 'credentialsPeriod', 'maxEventBytes'] as const;

/** What a timer can hold. */
const longest = 0x7fffffff;

const definedOf = (options: ClientNodePortOptions): ClientNodePortOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
