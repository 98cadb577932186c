/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chinese_errors_made.c - Chinese words of what no literal of the sources is
 * the template of: of the system, and of words that are put together. */
#include <stddef.h>

#include "report/words/tables.h"

/* clang-format off */
const report_translation report_chinese_errors_made[] = {
    {"is a string", "是字符串"},
    {"is a number", "是数"},
    {"is a truth value", "是真值"},
    {"a whole number of at least %s", "不小于 %s 的整数"},
    {"a whole number of at most %s", "不大于 %s 的整数"},
    {"a whole number from %s to %s", " %s 到 %s 之间的整数"},
    {"a number of at least %s", "不小于 %s 的数"},
    {"a number of at most %s", "不大于 %s 的数"},
    {"a number from %s to %s", " %s 到 %s 之间的数"},
    {"'%s' has no unit; write %s", "“%s”没有单位；请写 %#s"},
    {"'%s' has no unit; write %s or %s", "“%s”没有单位；请写 %#s 或 %#s"},
    {"'%s' has no unit; write %s, %s or %s",
     "“%s”没有单位；请写 %#s、%#s 或 %#s"},
    {"'%s' is not a rate; write %s", "“%s”不是速率；请写 %#s"},
    {"'%s' may be bits or bytes; write %s or %s",
     "“%s”可能是比特或字节；请写 %#s 或 %#s"},
    {"; write %s or %s", "；请写 %#s 或 %#s"},
    {"; write %s", "；请写 %#s"},
    {"model, no %s", "模型、%s"},
    {"model that plan3d knows (%s)", " plan3d 认识的模型（%s）"},
    {"model that plan3d knows (%s), no %s", " plan3d 认识的模型（%s）、%s"},
    {"size of a micro-batch, no %s", "微批次大小、%s"},
    {"length of a sequence, no %s", "序列长度、%s"},
    {"precision, no %s", "精度、%s"},
    {"%s needs sm%d or later; %s is %s", "%s 需要 sm%s 或更新；%s 是 %s"},
    {"%s needs sm%d or later, %s; %s is %s",
     "%s 需要 sm%s 或更新，或 %#s；%s 是 %s"},
    {"%s needs sm%d to sm%d; %s is %s", "%s 需要 sm%s 到 sm%s；%s 是 %s"},
    {"%s needs sm%d to sm%d, %s; %s is %s",
     "%s 需要 sm%s 到 sm%s，或 %#s；%s 是 %s"},
    {"--framework: %s is a target of 'plan3d export', estimated with the "
     "costs of a framework; write %s or %s",
     "--framework：%s 是“plan3d export”的目标，按某个框架的开销估算；请写 %#s"
     " 或 %#s"},
    {"No such file or directory", "没有那个文件或目录"},
    {"Permission denied", "权限不足"},
    {"No space left on device", "设备空间不足"},
    {"Not a directory", "不是目录"},
    {"Is a directory", "是目录"},
    {"Read-only file system", "只读文件系统"},
    {"Too many open files", "打开的文件太多"},
    {"File name too long", "文件名太长"},
    {"Disk quota exceeded", "超出磁盘配额"},
    {"Input/output error", "输入/输出错误"},
    {"Broken pipe", "管道已断开"},
    {"Operation not permitted", "不允许的操作"},
    {"Exec format error", "可执行文件格式错误"},
    {"Argument list too long", "参数太长"},
    {"Cannot allocate memory", "无法分配内存"},
    {"File too large", "文件太大"},
    {"Too many levels of symbolic links", "符号链接层数过多"},
    {"Text file busy", "文件正在使用"},
    {"Resource temporarily unavailable", "资源暂时不可用"},
    {"unknown part '%s'%s", "没有“%s”这个部分%s"},
    {"not legal: %s", "不合法：%s"},
    {NULL, NULL},
};
/* clang-format on */
