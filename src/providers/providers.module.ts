import { Module } from '@nestjs/common';
import type { PaymentProvider } from './provider.js';
import { PROVIDERS, ProviderRegistry } from './provider-registry.js';
import { BankTransferProvider } from './bank-transfer/bank-transfer.provider.js';
import { SandboxBank } from './sandbox/sandbox-bank.js';
import { SandboxRefunds } from './sandbox/sandbox-refunds.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';

/** Payment providers: the registry, and one folder per provider. */
@Module({
  providers: [
    BankTransferProvider,
    SandboxBank,
    SandboxRefunds,
    SandboxProvider,
    {
      provide: PROVIDERS,
      inject: [BankTransferProvider, SandboxProvider],
      useFactory: (...providers: PaymentProvider[]) => providers,
    },
    ProviderRegistry,
  ],
  exports: [ProviderRegistry, SandboxBank, SandboxRefunds],
})
export class ProvidersModule {}
