import type { WorkerConfig } from "../../config/config.ts";
import type { Provider } from "./provider.ts";
import {
  missingVariables,
  resultOfConnectionError,
  resultOfFailedResponse,
  vendorTimeoutMs,
  vendorWord,
} from "./vendor_errors.ts";

type AwsConfig = Pick<
  WorkerConfig,
  "AWS_REGION" | "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY" | "AWS_SESSION_TOKEN" | "AWS_ENDPOINT_URL_SNS"
>;

/** aws-sns of OTP_PROVIDER; private.provider_options_fault checks its options. */
interface AwsOptions {
  senderId?: string;
}

/**
 * SNS has one code for every wrong parameter; its message begins with the name of the parameter. A recipient who opted out is accepted, or
 * is OptedOut. https://docs.aws.amazon.com/sns/latest/api/API_Publish.html, and https://github.com/aws/aws-sdk-js/issues/1368.
 */
const blamesRecipient = ({ name, message }: Error): boolean =>
  name.startsWith("OptedOut") ||
  (name.startsWith("InvalidParameter") && /^Invalid parameter: PhoneNumber\b/.test(message));

/** Creates the provider that publishes to a phone number by Amazon SNS, as a transactional SMS. */
export function createAwsSnsProvider(config: AwsConfig, timeoutMs = vendorTimeoutMs): Provider {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = config;
  let loading: ReturnType<typeof loadLibrary> | undefined;
  return {
    unusableReason: () => missingVariables({ AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }),
    async send({ options, recipient, body }) {
      const { client, PublishCommand, SNSServiceException } = await (loading ??= loadLibrary(config));
      const { senderId } = options as AwsOptions;
      const text = (value: string) => ({ DataType: "String", StringValue: value });
      const command = new PublishCommand({
        PhoneNumber: recipient,
        Message: body,
        MessageAttributes: {
          "AWS.SNS.SMS.SMSType": text("Transactional"),
          ...(senderId && { "AWS.SNS.SMS.SenderID": text(senderId) }),
        },
      });
      try {
        const { MessageId } = await client.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) });
        return { outcome: "sent", vendorMessageId: vendorWord(MessageId) };
      } catch (error) {
        return error instanceof SNSServiceException
          ? resultOfFailedResponse({
              ...{ status: error.$metadata.httpStatusCode ?? 500, vendorCode: error.name },
              blamesRecipient: blamesRecipient(error),
              retryAfter: (error.$response as { headers?: Record<string, string> } | undefined)?.headers?.[
                "retry-after"
              ],
            })
          : resultOfConnectionError(error);
      }
    },
  };
}

/** Loads the AWS SDK when it is used for the first time: it takes 150 ms and 20 MB. */
async function loadLibrary(config: AwsConfig) {
  const { SNSClient, PublishCommand, SNSServiceException } = await import("@aws-sdk/client-sns");
  const { AWS_SESSION_TOKEN, AWS_ENDPOINT_URL_SNS } = config;
  const client = new SNSClient({
    region: config.AWS_REGION ?? "",
    credentials: {
      accessKeyId: config.AWS_ACCESS_KEY_ID ?? "",
      secretAccessKey: config.AWS_SECRET_ACCESS_KEY ?? "",
      ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
    },
    ...(AWS_ENDPOINT_URL_SNS !== undefined && { endpoint: AWS_ENDPOINT_URL_SNS }),
    // The queue retries, with another code: a retry of the SDK could send the message twice.
    maxAttempts: 1,
  });
  return { client, PublishCommand, SNSServiceException };
}
