import { SyncError } from '../controller/controller.ts';

/**
 * A number, or a percentage ("10%") of a total: GetScaledValueFromIntOrPercent (1.36, apimachinery/pkg/util/intstr).
 * @throws SyncError if a text is not a percentage
 */
export function scaleValue(value: number | string, total: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value;
  if (!/^[+-]?\d+%$/.test(value)) throw new SyncError('invalid value for IntOrString: invalid type: string is not a percentage');
  return round((Number.parseInt(value, 10) * total) / 100);
}
