import { Inject, Injectable } from '@nestjs/common';
import type { PaymentProvider } from './provider.js';

export const PROVIDERS = Symbol('providers');

/** Every payment company that this service can talk to. */
@Injectable()
export class ProviderRegistry {
  private readonly byName: ReadonlyMap<string, PaymentProvider>;

  constructor(@Inject(PROVIDERS) providers: readonly PaymentProvider[]) {
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
