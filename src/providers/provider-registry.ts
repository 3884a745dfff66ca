import { Inject, Injectable } from '@nestjs/common';
import type { PaymentProvider } from './provider.js';

export const PROVIDERS = Symbol('providers');

/** Every payment company that this service can talk to. */
@Injectable()
export class ProviderRegistry {
  private readonly byName: ReadonlyMap<string, PaymentProvider>;

  /** @throws Error when two providers have one name, or two methods one id */
  constructor(@Inject(PROVIDERS) providers: readonly PaymentProvider[]) {
    const methods = providers.flatMap((provider) => provider.methods);
    assertOnce(
      'provider',
      'name',
      providers.map(({ name }) => name),
    );
    assertOnce(
      'payment method',
      'id',
      methods.map(({ id }) => id),
    );
    this.byName = new Map(providers.map((provider) => [provider.name, provider]));
  }

  /** In alphabetical order. */
  names(): string[] {
    return [...this.byName.keys()].toSorted();
  }

  find(name: string): PaymentProvider | undefined {
    return this.byName.get(name);
  }

  /** @throws Error when a payment names a provider that is no longer part of the service */
  get(name: string): PaymentProvider {
    const provider = this.byName.get(name);
    if (!provider) throw new Error(`there is no provider ${name}`);
    return provider;
  }

  canVoid(name: string): boolean {
    return this.byName.get(name)?.void !== undefined;
  }
}

/** Payers choose by these, and payments keep them. */
function assertOnce(what: string, called: string, names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new Error(`Two ${what}s have the ${called} "${twice}": rename one.`);
}
