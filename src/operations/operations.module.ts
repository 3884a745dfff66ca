import { Module } from '@nestjs/common';
import { HealthController, Readiness } from './health.controller.js';

/** What operators look at. */
@Module({
  controllers: [HealthController],
  providers: [Readiness],
})
export class OperationsModule {}
