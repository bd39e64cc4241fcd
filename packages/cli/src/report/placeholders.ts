import { hidePlaceholders, type TraceService } from 'kube-endpoints/internal';
import type { Inventory } from '../input/collection.ts';
import type { Report } from '../print/report.ts';

/** Describes the cluster IPs that the input lacks, instead of printing their placeholders. */
export function hidePlaceholdersIn<T extends Report>(report: T, { services, servicesWithPlaceholderIP }: Inventory): T {
  // The input was validated when it was read, so each item is a TraceService.
  const objects = { services: services as readonly TraceService[], pods: [], standIns: servicesWithPlaceholderIP };
  return {
    ...report,
    text: (style) => hidePlaceholders(report.text(style), objects),
    data: () => hidePlaceholders(report.data(), objects),
  };
}
