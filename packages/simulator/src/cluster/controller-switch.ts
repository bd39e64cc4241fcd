import { type ControllerEntry, type HostContext, type RunningController, startController } from './controller-host.ts';

/** The controllers of a cluster by their names, for example "endpointslice-controller". */
export interface ControllerSwitch {
  readonly names: readonly string[];
  /** Ends a controller. Requests that it has sent still take effect. */
  stop(name: string): void;
  /**
   * Starts a stopped controller like a new process: its cache, queue and memory are empty before it lists. After several stops, it starts with the
   * last of as many calls.
   */
  start(name: string): void;
}

export function startControllers(host: HostContext, entries: readonly ControllerEntry[]): ControllerSwitch {
  const running = new Map(
    entries.map((entry) => {
      const controller = startController(host, entry);
      return [controller.name, { entry, controller: controller as RunningController | undefined, stops: 0 }];
    }),
  );
  return {
    names: [...running.keys()],
    stop(name) {
      const found = running.get(name);
      if (!found) return;
      found.controller?.stop();
      found.controller = undefined;
      found.stops += 1;
    },
    start(name) {
      const found = running.get(name);
      if (!found || found.controller) return;
      found.stops -= 1;
      if (found.stops === 0) found.controller = startController(host, found.entry);
    },
  };
}
