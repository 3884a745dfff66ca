import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysService } from './api-keys.service.js';
import { DemoSeed } from './demo-seed.js';
import { DeprecatedCallsService } from './deprecated-calls.service.js';
import { MerchantsService } from './merchants.service.js';

/** Merchants and the keys of their programs. Its guard stands before every route of the service. */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    ApiKeysService,
    DemoSeed,
    DeprecatedCallsService,
    MerchantsService,
  ],
  exports: [ApiKeysService, DeprecatedCallsService, MerchantsService],
})
export class MerchantsModule {}
