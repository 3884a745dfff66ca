import { Module } from '@nestjs/common';
import type { PaymentProvider } from './provider.js';
import { PROVIDERS, ProviderRegistry } from './provider-registry.js';
import { BankTransferProvider } from './bank-transfer/bank-transfer.provider.js';
import { SandboxBank } from './sandbox/sandbox-bank.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';

/** Payment providers: the registry, and one folder per provider. */
@Module({
  providers: [
    BankTransferProvider,
    SandboxBank,
    SandboxProvider,
    {
      provide: PROVIDERS,
      inject: [BankTransferProvider, SandboxProvider],
      useFactory: (...providers: PaymentProvider[]) => providers,
    },
    ProviderRegistry,
  ],
  exports: [ProviderRegistry, SandboxBank],
})
export class ProvidersModule {}
