import type { ExecutionContext } from '@nestjs/common';

/** Caches decorator metadata, whose lookup can take as long as an answer. */
export function oncePerHandler<T>(
  lookUp: (context: ExecutionContext) => T,
): (context: ExecutionContext) => T {
  const found = new WeakMap<object, T>();
  return (context) => {
    const handler = context.getHandler();
    if (!found.has(handler)) found.set(handler, lookUp(context));
    return found.get(handler) as T;
  };
}
