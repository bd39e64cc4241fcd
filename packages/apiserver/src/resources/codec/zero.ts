import type { ApiType } from '../schema/index.ts';
import { zeroQuantity } from './quantity.ts';

/** What stands for nothing where there has to be something: behind a pointer, in a list or a map. */
export const zeroOf = ({ kind }: ApiType): unknown => {
  if (kind === 'struct' || kind === 'map') return {};
  return kind === 'list' ? [] : zeros[kind];
};

const zeros: Readonly<Partial<Record<ApiType['kind'], unknown>>> = {
  text: '',
  bytes: '',
  bool: false,
  integer: 0,
  float: 0,
  intOrString: 0,
  quantity: zeroQuantity.text,
};
