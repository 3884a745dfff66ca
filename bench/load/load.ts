import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Plan, Rush } from './rush.js';

type Answer = Rush | { readonly failed: string };

/** Asks servers from a process of its own. */
export class Load {
  private constructor(
    private readonly generator: ChildProcess,
    private readonly ended: Promise<never>,
  ) {}

  static start(stack: AsyncDisposableStack): Load {
    const file = path.join(import.meta.dirname, 'generator.js');
    const generator = fork(file, { serialization: 'advanced' });
    stack.defer(() => void generator.kill('SIGKILL'));
    const ended = once(generator, 'exit').then((): never => {
      throw new Error('the process that asks has ended');
    });
    ended.catch(() => undefined);
    return new Load(generator, ended);
  }

  /** @throws Error when an answer was not the expected one, or none came */
  async rush(plan: Plan): Promise<Rush> {
    const answer = new Promise<Answer>((resolve) => this.generator.once('message', resolve));
    this.generator.send(plan);
    const result = await Promise.race([answer, this.ended]);
    if ('failed' in result) throw new Error(result.failed);
    const wrong = Object.entries(result.wrong).map(([words, count]) => `${count} × ${words}`);
    if (wrong.length > 0) throw new Error(`expected ${plan.expected}, got ${wrong.join('; ')}`);
    return result;
  }
}
