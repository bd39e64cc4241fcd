import type { ClientPort } from 'kube-endpoints/port';
import type { Route } from '../http/exchange.ts';
import { type Clock, type Store, systemClock } from '../store/index.ts';
import { createEngine } from './engine.ts';
import { createJournal, type InjectedFault } from './journal.ts';
import { createJudge } from './judge.ts';
import { createFragilePort } from './port.ts';
import { createFragileRoute } from './route.ts';
import { checkRule, checkWhole, type FaultRule, refuse, type WatchScope } from './rule.ts';

export interface FaultsOptions {
  /** Where all chance comes from: a whole number. By default 1. */
  readonly seed?: number;
  /** By default that of the machine. */
  readonly clock?: Clock;
  /** What goes wrong by itself. By default nothing. */
  readonly rules?: readonly FaultRule[];
  /** What forgets when compacted; `attach` hands it in later. */
  readonly store?: Pick<Store, 'revision' | 'compact'>;
  /** How many faults the log keeps. By default 1,000. */
  readonly maxLogged?: number;
}

/** A server on which things go wrong, by rules and on command. */
export interface Faults {
  /** The store that forgets when compacted. An API server that is made with faults attaches its own. */
  attach(store: Pick<Store, 'revision' | 'compact'>): void;
  /**
   * A port on which they go wrong. Ports and routes of the same faults fail together.
   * @param ended aborted once the server behind the port is closed, for which what they hold up then does not wait
   */
  port(port: ClientPort, ended?: AbortSignal): ClientPort;
  /** A route on which they go wrong. It should be the whole of what is served, so that each request counts once. */
  route(route: Route): Route;
  /** Ends open watches: cleanly or, broken, as a connection ends. */
  dropWatches(how?: WatchScope & { readonly broken?: boolean }): void;
  /** Lets nothing more come of open watches, not even their end, until they are released or the time is over. */
  stall(how?: WatchScope & { readonly forMilliseconds?: number }): void;
  /** Lets all stalled watches go on. */
  release(): void;
  /** Forgets all that happened up to now: who goes on from an older version is told 410 Expired. */
  compact(): void;
  /** Breaks all connections. Whatever is called from now on is broken too. What is stored stays. */
  crash(): void;
  restart(): void;
  readonly down: boolean;
  /** What was injected, oldest first. */
  readonly log: readonly InjectedFault[];
  /** Rules that inject the same again, as long as the calls are the same. @throws RangeError where the log did not keep all */
  replay(): FaultRule[];
  /** The log as text, for a test that fails. */
  report(): string;
}

/**
 * Injects faults into a port or a route.
 * @throws RangeError that names the option which is wrong
 */
export function createFaults(options: FaultsOptions = {}): Faults {
  const { seed = 1, clock = systemClock, rules = [], maxLogged = 1000 } = options;
  check(options);
  checkWhole(seed, 'seed', 0);
  checkWhole(maxLogged, 'maxLogged', 0);
  rules.forEach((rule, index) => void checkRule(rule, `rules[${index}]`));
  let { store } = options;
  const requireStore = (): Pick<Store, 'revision' | 'compact'> =>
    store ?? refuse('store', 'is required to compact: hand it in, or attach it');
  const begin = (): void => void (rules.some(({ fault }) => fault === 'compact') && requireStore());
  const journal = createJournal(seed, maxLogged);
  const engine = createEngine({
    clock,
    journal,
    judge: rules.length > 0 ? createJudge(rules, seed) : undefined,
    compact: () => requireStore().compact(requireStore().revision),
  });
  const command = (rule: Parameters<typeof engine.command>[0]): void => {
    checkRule(rule, rule.fault);
    engine.command(rule);
  };
  return {
    attach(given) {
      store = given;
    },
    port(port, ended) {
      begin();
      return createFragilePort(port, engine, ended);
    },
    route(route) {
      begin();
      return createFragileRoute(route, engine);
    },
    dropWatches: ({ broken, ...scope } = {}) =>
      command({ fault: 'dropWatches', ...(broken !== undefined && { broken }), ...watchesIn(scope) }),
    stall: ({ forMilliseconds, ...scope } = {}) =>
      command({ fault: 'stallWatches', ...(forMilliseconds !== undefined && { forMilliseconds }), ...watchesIn(scope) }),
    release: () => command({ fault: 'releaseWatches' }),
    compact: () => command({ fault: 'compact' }),
    crash: () => command({ fault: 'crash' }),
    restart: () => command({ fault: 'restart' }),
    get down() {
      return engine.down;
    },
    log: journal.entries,
    replay: journal.replay,
    report: journal.report,
  };
}

const watchesIn = (watches: WatchScope): { readonly watches?: WatchScope } => (Object.keys(watches).length > 0 ? { watches } : {});

function check(options: FaultsOptions): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) refuse(unknown, `is none of ${names.join(', ')}`);
  if (options.rules !== undefined && !Array.isArray(options.rules)) refuse('rules', 'has to be a list');
}

const names: readonly string[] = ['seed', 'clock', 'rules', 'store', 'maxLogged'];
