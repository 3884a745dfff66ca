import { Module } from '@nestjs/common';
import { ErasureService } from './erasure.service.js';
import { RetentionJob } from './retention-job.js';

/** Retention periods, and erasure of payers on request. */
@Module({
  providers: [ErasureService, RetentionJob],
  exports: [ErasureService],
})
export class RetentionModule {}
