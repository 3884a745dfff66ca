import type { ExecutionContext } from '@nestjs/common';

/** What decorators say of a handler never changes, and looking it up takes as long as some answers. */
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
