import { Module } from '@nestjs/common';
import { PROVIDERS, ProviderRegistry } from './provider-registry.js';
import { SandboxBank } from './sandbox/sandbox-bank.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';

/** Who moves the money: the registry, and a folder for each company. */
@Module({
  providers: [
    SandboxBank,
    SandboxProvider,
    {
      provide: PROVIDERS,
      inject: [SandboxProvider],
      useFactory: (sandbox: SandboxProvider) => [sandbox],
    },
    ProviderRegistry,
  ],
  exports: [ProviderRegistry, SandboxBank],
})
export class ProvidersModule {}
