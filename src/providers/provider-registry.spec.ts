import { describe, expect, it } from '@jest/globals';
import { LOCALES, type Locale } from '../common/locale.js';
import type { PaymentProvider } from './provider.js';
import { ProviderRegistry } from './provider-registry.js';

const labels = Object.fromEntries(LOCALES.map((locale) => [locale, 'A way'])) as Record<
  Locale,
  string
>;

const provider = (name: string, ...methods: readonly string[]): PaymentProvider => ({
  name,
  methods: methods.map((id) => ({ id, modes: ['test'], labels })),
  start: () => Promise.resolve({ kind: 'unknown' }),
  status: () => Promise.resolve({ kind: 'unknown' }),
});

describe(ProviderRegistry.name, () => {
  it('knows its providers by name', () => {
    const [acme, bank] = [provider('acme', 'card', 'wallet'), provider('bank', 'transfer')];
    const registry = new ProviderRegistry([bank, acme]);
    expect(registry.names()).toEqual(['acme', 'bank']);
    expect(registry.get('acme')).toBe(acme);
    expect(registry.find('other')).toBeUndefined();
    expect(() => registry.get('other')).toThrow('there is no provider other');
  });

  it('refuses two methods with one id, of two providers or of one', () => {
    const sentence = 'Two payment methods have the id "card": rename one.';
    const twice = [provider('acme', 'card'), provider('bank', 'transfer', 'card')];
    expect(() => new ProviderRegistry(twice)).toThrow(sentence);
    expect(() => new ProviderRegistry([provider('acme', 'card', 'card')])).toThrow(sentence);
  });

  it('refuses two providers with one name', () => {
    const twice = [provider('acme', 'card'), provider('acme', 'transfer')];
    expect(() => new ProviderRegistry(twice)).toThrow(
      'Two providers have the name "acme": rename one.',
    );
  });
});
