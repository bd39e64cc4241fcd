import type { ClientPort } from 'kube-endpoints/port';
import type { Route } from '../http/exchange.ts';
import { type Clock, type Store, systemClock } from '../store/index.ts';
import { createEngine } from './engine.ts';
import { createJournal, type InjectedFault } from './journal.ts';
import { createFaultInjectingPort } from './port.ts';
import { createFaultInjectingRoute } from './route.ts';
import { checkInteger, checkRule, type FaultRule, throwInvalid, type WatchScope } from './rule.ts';
import { createFaultScheduler } from './scheduler.ts';

export interface FaultsOptions {
  /** Seed of all random decisions: a non-negative integer. Default: 1. */
  readonly seed?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Faults to inject. Default: none. */
  readonly rules?: readonly FaultRule[];
  /** The store for compactions; may be passed to `attach` later. */
  readonly store?: Pick<Store, 'revision' | 'compact'>;
  /** Maximum number of faults in the log. Default: 1,000. */
  readonly maxLogged?: number;
}

/** Injects faults into a server, by rules and on command. */
export interface Faults {
  /** Sets the store for compactions. An API server that is created with faults attaches its own. */
  attach(store: Pick<Store, 'revision' | 'compact'>): void;
  /**
   * Wraps a port so that faults are injected. All ports and routes of one Faults share the same rules and server state.
   * @param closeSignal aborted when the server behind the port is closed; ends injected delays and stalls
   */
  port(port: ClientPort, closeSignal?: AbortSignal): ClientPort;
  /** Wraps a route so that faults are injected. Wrap the whole route of a server, so that each request counts once. */
  route(route: Route): Route;
  /** Ends open watches: regularly or, if `broken`, by a broken connection. */
  dropWatches(options?: WatchScope & { readonly broken?: boolean }): void;
  /** Stalls open watches until `release` or for `forMilliseconds`: no events arrive, nor the end of a watch. */
  stall(options?: WatchScope & { readonly forMilliseconds?: number }): void;
  /** Resumes all stalled watches. */
  release(): void;
  /** Compacts the store at its current revision: watches and continued lists from older versions get 410 Expired. */
  compact(): void;
  /** Breaks all connections and makes calls fail until `restart`. Stored objects are kept. */
  crash(): void;
  restart(): void;
  /** Whether the server has crashed and was not restarted. */
  readonly down: boolean;
  /** The injected faults, oldest first. */
  readonly log: readonly InjectedFault[];
  /** Rules that inject the same faults again if the calls are the same. @throws RangeError if the log has dropped faults */
  replay(): FaultRule[];
  /** The log as text, for the message of a failing test. */
  report(): string;
}

/** Injects faults into a port or a route. @throws RangeError if an option is invalid; the message names it */
export function createFaults(options: FaultsOptions = {}): Faults {
  const { seed = 1, clock = systemClock, rules = [], maxLogged = 1000 } = options;
  checkOptions(options);
  checkInteger(seed, 'seed', 0);
  checkInteger(maxLogged, 'maxLogged', 0);
  rules.forEach((rule, index) => void checkRule(rule, `rules[${index}]`));
  let { store } = options;
  const requireStore = (): Pick<Store, 'revision' | 'compact'> =>
    store ?? throwInvalid('store', 'is required to compact: pass it to createFaults or call attach');
  const requireStoreForRules = (): void => void (rules.some(({ fault }) => fault === 'compact') && requireStore());
  const journal = createJournal(seed, maxLogged);
  const engine = createEngine({
    clock,
    journal,
    scheduler: rules.length > 0 ? createFaultScheduler(rules, seed) : undefined,
    compact: () => requireStore().compact(requireStore().revision),
  });
  const injectOnCommand = (rule: Parameters<typeof engine.injectOnCommand>[0]): void => {
    checkRule(rule, rule.fault);
    engine.injectOnCommand(rule);
  };
  return {
    attach(attachedStore) {
      store = attachedStore;
    },
    port(port, closeSignal) {
      requireStoreForRules();
      return createFaultInjectingPort(port, engine, closeSignal);
    },
    route(route) {
      requireStoreForRules();
      return createFaultInjectingRoute(route, engine);
    },
    dropWatches: ({ broken, ...scope } = {}) =>
      injectOnCommand({ fault: 'dropWatches', ...(broken !== undefined && { broken }), ...createWatchesOption(scope) }),
    stall: ({ forMilliseconds, ...scope } = {}) =>
      injectOnCommand({ fault: 'stallWatches', ...(forMilliseconds !== undefined && { forMilliseconds }), ...createWatchesOption(scope) }),
    release: () => injectOnCommand({ fault: 'releaseWatches' }),
    compact: () => injectOnCommand({ fault: 'compact' }),
    crash: () => injectOnCommand({ fault: 'crash' }),
    restart: () => injectOnCommand({ fault: 'restart' }),
    get down() {
      return engine.down;
    },
    log: journal.entries,
    replay: journal.replay,
    report: journal.report,
  };
}

const createWatchesOption = (watches: WatchScope): { readonly watches?: WatchScope } =>
  Object.keys(watches).length > 0 ? { watches } : {};

function checkOptions(options: FaultsOptions): void {
  const unknownOption = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknownOption !== undefined) throwInvalid(unknownOption, `is not an option; the options are ${optionNames.join(', ')}`);
  if (options.rules !== undefined && !Array.isArray(options.rules)) throwInvalid('rules', 'must be a list');
}

const optionNames: readonly string[] = ['seed', 'clock', 'rules', 'store', 'maxLogged'];
